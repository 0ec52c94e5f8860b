-- MySQL dump 10.13  Distrib 5.7.44, for Linux (x86_64)
--
-- Host: pms-db01    Database: tweedbank
-- ------------------------------------------------------
/*!40101 SET NAMES utf8 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;

--
-- Clients. The ref is printed on the blue card, three letters and four digits.
--
DROP TABLE IF EXISTS `cl_clients`;
CREATE TABLE `cl_clients` (
  `client_id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `client_ref` char(7) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL COMMENT 'blue card, e.g. KER0412',
  `title` varchar(20) NOT NULL DEFAULT '',
  `forenames` varchar(60) NOT NULL DEFAULT '',
  `surname` varchar(60) NOT NULL,
  `farm_name` varchar(80) DEFAULT NULL,
  `cph_number` char(11) DEFAULT NULL COMMENT 'county/parish/holding, only if livestock',
  `email` varchar(190) DEFAULT NULL,
  `discount_pc` decimal(4,2) NOT NULL DEFAULT '0.00',
  `credit_status` enum('ok','cash only','stopped','legal') NOT NULL DEFAULT 'ok',
  `marketing_ok` tinyint(1) NOT NULL DEFAULT '0' COMMENT 'GDPR consent, never set by the import',
  `created_at` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,
  `legacy_no` int(11) DEFAULT NULL,
  PRIMARY KEY (`client_id`),
  UNIQUE KEY `client_ref` (`client_ref`),
  KEY `surname_forenames` (`surname`,`forenames`),
  KEY `legacy_no` (`legacy_no`)
) ENGINE=InnoDB AUTO_INCREMENT=18344 DEFAULT CHARSET=utf8 COMMENT='One row per account holder';

DROP TABLE IF EXISTS `cl_phones`;
CREATE TABLE `cl_phones` (
  `client_id` int(10) unsigned NOT NULL,
  `seq` tinyint(3) unsigned NOT NULL DEFAULT '1',
  `kind` enum('mobile','home','work','fax') NOT NULL DEFAULT 'mobile',
  `number` varchar(24) NOT NULL,
  `sms_ok` tinyint(1) NOT NULL DEFAULT '1',
  `note` varchar(80) DEFAULT NULL COMMENT 'husband, byre, do not ring after 8 etc.',
  PRIMARY KEY (`client_id`,`seq`),
  KEY `number` (`number`),
  CONSTRAINT `fk_phone_client` FOREIGN KEY (`client_id`) REFERENCES `cl_clients` (`client_id`) ON DELETE CASCADE ON UPDATE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8;

DROP TABLE IF EXISTS `cl_addresses`;
CREATE TABLE `cl_addresses` (
  `address_id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `client_id` int(10) unsigned NOT NULL,
  `is_billing` tinyint(1) NOT NULL DEFAULT '1',
  `line1` varchar(80) NOT NULL,
  `line2` varchar(80) DEFAULT NULL,
  `town` varchar(40) NOT NULL DEFAULT '',
  `postcode` varchar(8) DEFAULT NULL,
  `grid_ref` char(8) DEFAULT NULL COMMENT 'OS, for the on-call vet: NT5234',
  `zone` set('A','B','C','island') NOT NULL DEFAULT 'A' COMMENT 'visit fee zone',
  PRIMARY KEY (`address_id`),
  KEY `client_id` (`client_id`,`is_billing`),
  KEY `postcode` (`postcode`),
  CONSTRAINT `fk_address_client` FOREIGN KEY (`client_id`) REFERENCES `cl_clients` (`client_id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=21077 DEFAULT CHARSET=utf8;

--
-- Animals
--
DROP TABLE IF EXISTS `an_species`;
CREATE TABLE `an_species` (
  `species_code` char(3) NOT NULL COMMENT 'VeNom-ish, CAN FEL EQU BOV OVI LAG AVI',
  `label` varchar(30) NOT NULL,
  `food_producing` tinyint(1) NOT NULL DEFAULT '0',
  `sort` smallint(6) NOT NULL DEFAULT '100',
  PRIMARY KEY (`species_code`)
) ENGINE=MyISAM DEFAULT CHARSET=latin1 COLLATE=latin1_general_ci ROW_FORMAT=FIXED;

DROP TABLE IF EXISTS `an_breeds`;
CREATE TABLE `an_breeds` (
  `breed_id` smallint(5) unsigned NOT NULL AUTO_INCREMENT,
  `species_code` char(3) NOT NULL,
  `label` varchar(50) NOT NULL,
  `kc_group` varchar(20) DEFAULT NULL COMMENT 'Kennel Club, dogs only',
  `brachycephalic` tinyint(1) NOT NULL DEFAULT '0',
  PRIMARY KEY (`breed_id`),
  UNIQUE KEY `species_label` (`species_code`,`label`)
) ENGINE=MyISAM AUTO_INCREMENT=611 DEFAULT CHARSET=latin1 COLLATE=latin1_general_ci;

DROP TABLE IF EXISTS `an_animals`;
CREATE TABLE `an_animals` (
  `animal_id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `client_id` int(10) unsigned NOT NULL,
  `name` varchar(40) NOT NULL DEFAULT '' COMMENT 'herd or flock mark if it is a group',
  `species_code` char(3) CHARACTER SET latin1 COLLATE latin1_general_ci NOT NULL,
  `breed_id` smallint(5) unsigned DEFAULT NULL,
  `sex` enum('M','MN','F','FN','U') NOT NULL DEFAULT 'U',
  `born` date DEFAULT NULL,
  `born_is_estimate` tinyint(1) NOT NULL DEFAULT '0',
  `colour` varchar(30) DEFAULT NULL,
  `microchip` char(15) DEFAULT NULL COMMENT 'ISO 11784, no spaces',
  `passport_no` varchar(15) DEFAULT NULL,
  `section_ix` enum('not signed','human consumption','not for human consumption') DEFAULT NULL COMMENT 'horses: page signed in the passport',
  `insurer` varchar(40) DEFAULT NULL,
  `policy_no` varchar(25) DEFAULT NULL,
  `died` date DEFAULT NULL,
  `alert` varchar(120) DEFAULT NULL COMMENT 'red banner: bites, MDR1, diabetic',
  `updated_at` timestamp NULL DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`animal_id`),
  UNIQUE KEY `microchip` (`microchip`),
  KEY `client_id` (`client_id`,`died`),
  KEY `name` (`name`),
  CONSTRAINT `fk_animal_client` FOREIGN KEY (`client_id`) REFERENCES `cl_clients` (`client_id`),
  CONSTRAINT `died_after_birth` CHECK (died IS NULL OR born IS NULL OR died >= born)
) ENGINE=InnoDB AUTO_INCREMENT=44912 DEFAULT CHARSET=utf8 COMMENT='Patients; a flock is one row';

DROP TABLE IF EXISTS `an_weights`;
CREATE TABLE `an_weights` (
  `animal_id` int(10) unsigned NOT NULL,
  `weighed_on` date NOT NULL,
  `kg` decimal(6,2) unsigned NOT NULL,
  `bcs` tinyint(3) unsigned DEFAULT NULL COMMENT 'body condition 1 to 9; sheep 1 to 5',
  `method` enum('scale','tape','guess') NOT NULL DEFAULT 'scale',
  `staff_code` char(3) DEFAULT NULL,
  PRIMARY KEY (`animal_id`,`weighed_on`),
  CONSTRAINT `fk_weight_animal` FOREIGN KEY (`animal_id`) REFERENCES `an_animals` (`animal_id`) ON DELETE CASCADE,
  CONSTRAINT `kg_positive` CHECK (kg > 0)
) ENGINE=InnoDB DEFAULT CHARSET=utf8;

--
-- Diary
--
DROP TABLE IF EXISTS `dy_staff`;
CREATE TABLE `dy_staff` (
  `staff_code` char(3) NOT NULL,
  `full_name` varchar(60) NOT NULL,
  `role` enum('vet','rvn','sqp','reception','locum') NOT NULL,
  `rcvs_no` varchar(8) DEFAULT NULL,
  -- AMTRA card, check every April
  `sqp_expires` date DEFAULT NULL,
  `colour` char(6) NOT NULL DEFAULT 'cccccc' COMMENT 'diary column',
  `left_on` date DEFAULT NULL,
  PRIMARY KEY (`staff_code`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8;

DROP TABLE IF EXISTS `dy_appointments`;
CREATE TABLE `dy_appointments` (
  `appt_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `branch` enum('Galashiels','Kelso','Peebles') NOT NULL DEFAULT 'Galashiels',
  `starts_at` datetime NOT NULL,
  `minutes` smallint(5) unsigned NOT NULL DEFAULT '15',
  `ends_at` datetime GENERATED ALWAYS AS ((`starts_at` + interval `minutes` minute)) STORED,
  `staff_code` char(3) DEFAULT NULL,
  `client_id` int(10) unsigned DEFAULT NULL,
  `animal_id` int(10) unsigned DEFAULT NULL,
  `kind` enum('consult','nurse','op','visit','euthanasia','block') NOT NULL DEFAULT 'consult',
  `status` enum('booked','arrived','in','done','dna','cancelled') NOT NULL DEFAULT 'booked',
  `reason` varchar(200) NOT NULL DEFAULT '' COMMENT 'as the client says it',
  `arrived_at` datetime(3) DEFAULT NULL,
  `reminder_sid` varchar(34) DEFAULT NULL COMMENT 'Twilio message id',
  PRIMARY KEY (`appt_id`),
  UNIQUE KEY `one_at_a_time` (`staff_code`,`starts_at`),
  KEY `branch_day` (`branch`,`starts_at`),
  KEY `animal_id` (`animal_id`),
  KEY `reminder_sid` (`reminder_sid`),
  CONSTRAINT `fk_appt_staff` FOREIGN KEY (`staff_code`) REFERENCES `dy_staff` (`staff_code`) ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT `fk_appt_animal` FOREIGN KEY (`animal_id`) REFERENCES `an_animals` (`animal_id`) ON DELETE SET NULL
) ENGINE=InnoDB AUTO_INCREMENT=603218 DEFAULT CHARSET=utf8;

DROP TABLE IF EXISTS `dy_rota`;
CREATE TABLE `dy_rota` (
  `on_call_date` date NOT NULL,
  `rota` enum('small','large') NOT NULL,
  `first_staff` char(3) NOT NULL,
  `second_staff` char(3) DEFAULT NULL,
  `swapped` tinyint(1) NOT NULL DEFAULT '0',
  PRIMARY KEY (`on_call_date`,`rota`),
  KEY `first_staff` (`first_staff`)
) ENGINE=MyISAM DEFAULT CHARSET=latin1 COMMENT='Out of hours';

--
-- Clinical notes and lab
--
DROP TABLE IF EXISTS `rec_consults`;
CREATE TABLE `rec_consults` (
  `consult_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `animal_id` int(10) unsigned NOT NULL,
  `appt_id` bigint(20) unsigned DEFAULT NULL,
  `staff_code` char(3) NOT NULL,
  `seen_at` datetime NOT NULL,
  `history` text,
  `exam` text,
  `temp_c` decimal(3,1) DEFAULT NULL,
  `heart_rate` smallint(5) unsigned DEFAULT NULL,
  `venom_code` mediumint(8) unsigned DEFAULT NULL COMMENT 'VeNom diagnosis, 0 is open',
  `plan` mediumtext,
  `locked_at` datetime DEFAULT NULL COMMENT 'no edits after that, RCVS guidance',
  PRIMARY KEY (`consult_id`),
  UNIQUE KEY `appt_id` (`appt_id`),
  KEY `animal_seen` (`animal_id`,`seen_at`),
  KEY `venom_code` (`venom_code`),
  FULLTEXT KEY `notes` (`history`,`exam`,`plan`),
  CONSTRAINT `fk_consult_animal` FOREIGN KEY (`animal_id`) REFERENCES `an_animals` (`animal_id`),
  CONSTRAINT `fk_consult_appt` FOREIGN KEY (`appt_id`) REFERENCES `dy_appointments` (`appt_id`)
) ENGINE=InnoDB AUTO_INCREMENT=388410 DEFAULT CHARSET=utf8 ROW_FORMAT=DYNAMIC;

DROP TABLE IF EXISTS `rec_labs`;
CREATE TABLE `rec_labs` (
  `lab_id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `consult_id` bigint(20) unsigned NOT NULL,
  `lab` enum('in-house','IDEXX','SRUC','Axiom') NOT NULL DEFAULT 'in-house',
  `external_ref` varchar(20) DEFAULT NULL,
  `sampled_at` datetime NOT NULL,
  `analyte` varchar(40) NOT NULL,
  `value` double DEFAULT NULL,
  `censored` enum('<','>') DEFAULT NULL,
  `unit` varchar(12) NOT NULL DEFAULT '',
  `low` double DEFAULT NULL,
  `high` double DEFAULT NULL,
  `raw` json DEFAULT NULL COMMENT 'message as the analyser sent it',
  PRIMARY KEY (`lab_id`),
  KEY `consult_id` (`consult_id`),
  KEY `analyte` (`analyte`,`sampled_at`),
  CONSTRAINT `fk_lab_consult` FOREIGN KEY (`consult_id`) REFERENCES `rec_consults` (`consult_id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=1290066 DEFAULT CHARSET=utf8;

--
-- Pharmacy. Legal categories as the VMD has them.
--
DROP TABLE IF EXISTS `rx_products`;
CREATE TABLE `rx_products` (
  `product_id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `vm_number` varchar(12) DEFAULT NULL COMMENT 'marketing authorisation, Vm 01234/4567',
  `name` varchar(80) NOT NULL,
  `strength` varchar(30) NOT NULL DEFAULT '',
  `category` enum('POM-V','POM-VPS','NFA-VPS','AVM-GSL','SAES','feed','sundry') NOT NULL DEFAULT 'POM-V',
  `cd_schedule` tinyint(3) unsigned DEFAULT NULL COMMENT '2 and 3 go into the cabinet',
  `pack_units` decimal(9,3) NOT NULL DEFAULT '1.000',
  `unit` enum('tablet','ml','g','dose','piece') NOT NULL DEFAULT 'piece',
  `cost_ex_vat` decimal(9,4) DEFAULT NULL,
  `markup_pc` decimal(5,1) NOT NULL DEFAULT '55.0',
  `vat_code` char(1) NOT NULL DEFAULT 'S',
  `meat_days` smallint(5) unsigned DEFAULT NULL COMMENT 'withdrawal; NULL is not licensed',
  `milk_hours` smallint(5) unsigned DEFAULT NULL,
  `fridge` tinyint(1) NOT NULL DEFAULT '0',
  `reorder_at` int(11) DEFAULT NULL,
  PRIMARY KEY (`product_id`),
  UNIQUE KEY `vm_strength` (`vm_number`,`strength`),
  FULLTEXT KEY `name` (`name`),
  CONSTRAINT `schedule_known` CHECK (cd_schedule IS NULL OR cd_schedule BETWEEN 2 AND 5)
) ENGINE=InnoDB AUTO_INCREMENT=4471 DEFAULT CHARSET=utf8;

DROP TABLE IF EXISTS `rx_batches`;
CREATE TABLE `rx_batches` (
  `product_id` int(10) unsigned NOT NULL,
  `batch_no` varchar(20) NOT NULL,
  `branch` enum('Galashiels','Kelso','Peebles') NOT NULL,
  `expires` date NOT NULL,
  -- may go below 0 until the weekend count
  `on_hand` decimal(9,3) NOT NULL DEFAULT '0.000',
  `broached_at` datetime DEFAULT NULL COMMENT 'vials: 28 days from here',
  PRIMARY KEY (`product_id`,`batch_no`,`branch`),
  CONSTRAINT `fk_batch_product` FOREIGN KEY (`product_id`) REFERENCES `rx_products` (`product_id`) ON UPDATE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8;

DROP TABLE IF EXISTS `rx_dispensed`;
CREATE TABLE `rx_dispensed` (
  `line_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `consult_id` bigint(20) unsigned DEFAULT NULL,
  `product_id` int(10) unsigned NOT NULL,
  `batch_no` varchar(20) DEFAULT NULL,
  `quantity` decimal(9,3) NOT NULL,
  `directions` varchar(250) NOT NULL DEFAULT '' COMMENT 'label text, owner''s words where possible',
  `repeats_left` tinyint(3) unsigned NOT NULL DEFAULT '0',
  `off_licence` tinyint(1) NOT NULL DEFAULT '0' COMMENT 'cascade, needs a signed form',
  `dispensed_by` char(3) NOT NULL,
  `witness` char(3) DEFAULT NULL COMMENT 'controlled drugs',
  `dispensed_at` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (`line_id`),
  KEY `consult_id` (`consult_id`),
  KEY `batch` (`product_id`,`batch_no`),
  CONSTRAINT `fk_disp_consult` FOREIGN KEY (`consult_id`) REFERENCES `rec_consults` (`consult_id`) ON DELETE RESTRICT,
  CONSTRAINT `fk_disp_product` FOREIGN KEY (`product_id`) REFERENCES `rx_products` (`product_id`)
) ENGINE=InnoDB AUTO_INCREMENT=771903 DEFAULT CHARSET=utf8 COMMENT='Five years, VMR 2013 sch. 3';

--
-- Accounts
--
DROP TABLE IF EXISTS `ac_invoices`;
CREATE TABLE `ac_invoices` (
  `invoice_no` int(10) unsigned NOT NULL,
  `client_id` int(10) unsigned NOT NULL,
  `issued_on` date NOT NULL,
  `due_on` date DEFAULT NULL,
  `net` decimal(10,2) NOT NULL DEFAULT '0.00',
  `vat` decimal(10,2) NOT NULL DEFAULT '0.00',
  `gross` decimal(10,2) GENERATED ALWAYS AS (`net` + `vat`) VIRTUAL,
  `claim_state` enum('none','to insurer','part paid','settled','refused') NOT NULL DEFAULT 'none',
  `printed` tinyint(1) NOT NULL DEFAULT '0',
  PRIMARY KEY (`invoice_no`),
  KEY `client_issued` (`client_id`,`issued_on`),
  CONSTRAINT `fk_invoice_client` FOREIGN KEY (`client_id`) REFERENCES `cl_clients` (`client_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8 COMMENT='Numbers come from the ledger, no gaps';

DROP TABLE IF EXISTS `ac_payments`;
CREATE TABLE `ac_payments` (
  `payment_id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `invoice_no` int(10) unsigned DEFAULT NULL,
  `client_id` int(10) unsigned NOT NULL,
  `paid_on` date NOT NULL,
  `method` enum('card','cash','cheque','bacs','dd','insurer') NOT NULL,
  `amount` decimal(10,2) NOT NULL,
  `terminal_ref` varchar(32) DEFAULT NULL,
  PRIMARY KEY (`payment_id`),
  KEY `invoice_no` (`invoice_no`),
  KEY `client_paid` (`client_id`,`paid_on`),
  CONSTRAINT `fk_payment_invoice` FOREIGN KEY (`invoice_no`) REFERENCES `ac_invoices` (`invoice_no`) ON DELETE SET NULL
) ENGINE=InnoDB AUTO_INCREMENT=150287 DEFAULT CHARSET=utf8;

-- left over from the Vetaid import of 2016, still read by the debtors report
DROP TABLE IF EXISTS `ac_aged_debt_old`;
CREATE TABLE `ac_aged_debt_old` (
  `legacy_no` int(11) NOT NULL DEFAULT '0',
  `asof` date NOT NULL DEFAULT '2016-03-31',
  `d30` float NOT NULL DEFAULT '0',
  `d60` float NOT NULL DEFAULT '0',
  `d90` float NOT NULL DEFAULT '0',
  `remark` tinytext
) ENGINE=MyISAM DEFAULT CHARSET=latin1;

-- added by hand on the live server, Moira 2023-11-08
CREATE INDEX `remark_head` ON `ac_aged_debt_old` (`remark`(12));
CREATE INDEX `asof` ON `ac_aged_debt_old` (`asof`,`legacy_no`);

/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
-- Dump completed on 2024-09-02  3:10:41
