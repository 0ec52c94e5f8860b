-- =====================================================================
--  LONJA DE BURELA - esquema de la subasta y la trazabilidad
--  version 7, 14/11/2024. Hecho a mano; el viejo lo generaba Access.
--  Orden de carga: maestras, mareas, lotes, ventas, indices. Xoel M.
-- =====================================================================
set names utf8mb4;
set sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE';

-- Especies, codigos FAO de tres letras. La talla es la minima legal en cm.
create table if not exists especie (
    fao            char(3)       not null primary key,
    gallego        varchar(40)   not null,
    castellano     varchar(40)   not null,
    cientifico     varchar(60)   not null unique,
    talla_min_cm   decimal(4,1)  default null,
    tac            boolean       not null default false comment 'sujeta a cuota',
    veda_desde     date,
    veda_hasta     date,
    check (veda_desde is null or veda_hasta is not null)
);

insert into especie (fao, gallego, castellano, cientifico, talla_min_cm, tac) values
    ('HKE', 'pescada', 'merluza', 'Merluccius merluccius', 27.0, true),
    ('ALB', 'bonito do norte', 'bonito del norte', 'Thunnus alalunga', null, true),
    ('MAC', 'xarda', 'caballa', 'Scomber scombrus', 20.0, true),
    ('HOM', 'xurelo', 'jurel', 'Trachurus trachurus', 15.0, true),
    ('MON', 'peixe sapo', 'rape blanco', 'Lophius piscatorius', null, true),
    ('COE', 'congro', 'congrio', 'Conger conger', 58.0, false),
    ('OCC', 'polbo', 'pulpo', 'Octopus vulgaris', null, false);

-- Presentacion con la que entra el pescado en la lonja
create table if not exists presentacion (
    codigo      char(3)      not null primary key,
    nombre      varchar(30)  not null,
    factor      decimal(5,3) not null default 1.000 comment 'a peso vivo, Reg. 404/2011 anexo XIII'
);

insert into presentacion values ('WHL', 'entero', 1.000), ('GUT', 'eviscerado', 1.110), ('GUH', 'sin cabeza', 1.400), ('TAL', 'colas', 3.000);

-- Personas y empresas: armadores, compradores, transportistas, todo junto
create table if not exists tercero (
    id          int unsigned  not null auto_increment primary key,
    nif         char(9)       not null,
    nombre      varchar(90)   not null,
    alias       varchar(25)   comment 'como lo canta el subastador',
    rol         set('armador','comprador','transporte','fabrica') not null default 'comprador',
    iban        char(24)      comment 'solo armadores',
    aval_eur    decimal(10,2) not null default 0.00,
    bloqueado   boolean       not null default false,
    alta        timestamp     not null default current_timestamp,
    notas       text,
    unique key nif (nif),
    check (aval_eur >= 0)
);

create table if not exists buque (
    cfr         char(12)      not null primary key comment 'ESP000 y seis cifras',
    matricula   varchar(16)   not null,
    nombre      varchar(50)   not null,
    puerto      varchar(30)   not null default 'Burela',
    eslora_m    decimal(5,2)  not null,
    gt          decimal(7,2),
    arte        enum('volanta','palangre','cerco','arrastre','cacea','nasas') not null,
    armador     int unsigned  not null,
    baja        date          default null,
    constraint buque_armador foreign key (armador) references tercero (id) on update cascade
);

-- Una marea es una salida; el diario electronico manda el numero
create table if not exists marea (
    id          bigint unsigned not null auto_increment primary key,
    cfr         char(12)      not null,
    dea         varchar(20)   comment 'numero del diario a bordo, null si eslora < 12',
    salida      datetime      not null,
    llegada     datetime,
    zona        char(6)       not null default '27.8.c' comment 'division CIEM',
    hielo_kg    smallint unsigned not null default 0,
    unique key dea (dea),
    constraint marea_buque foreign key (cfr) references buque (cfr),
    constraint marea_orden check (llegada is null or llegada > salida)
);

-- El lote es lo que se subasta: misma especie, talla, frescura, barco
create table if not exists lote (
    id            bigint unsigned not null auto_increment primary key,
    marea         bigint unsigned not null,
    fao           char(3)       not null,
    presentacion  char(3)       not null default 'GUT',
    calibre       tinyint unsigned not null comment '1 el mayor; OCC 1 a 4',
    frescura      enum('E','A','B') not null default 'A',
    cajas         smallint unsigned not null,
    neto_kg       decimal(8,2)  not null,
    salida_eur    decimal(6,2)  not null comment 'precio de arranque, va bajando',
    retirada_eur  decimal(6,2)  not null default 0.00,
    etiqueta      varchar(40),
    creado        timestamp     not null default current_timestamp,
    constraint lote_marea foreign key (marea) references marea (id) on delete cascade,
    constraint lote_especie foreign key (fao) references especie (fao),
    constraint lote_pres foreign key (presentacion) references presentacion (codigo),
    check (neto_kg > 0 and retirada_eur <= salida_eur)
);

-- # pendiente: separar la venta a resultas de la de contado (lo pide Gestoria Rial)
create table if not exists venta (
    lote        bigint unsigned not null primary key,
    comprador   int unsigned  not null,
    puja_eur    decimal(6,2)  not null,
    hora        time          not null,
    mando       tinyint unsigned comment 'numero del mando, 0 es a viva voz',
    modo        enum('contado','resultas','retirada') not null default 'contado',
    anulada     boolean       not null default false,
    constraint venta_lote foreign key (lote) references lote (id),
    constraint venta_comprador foreign key (comprador) references tercero (id)
);

-- Tasas: la de la cofradia, la del puerto (T-4), la del hielo
create table if not exists tasa (
    concepto    varchar(24)   not null,
    desde       date          not null default '2024-01-01',
    pct         decimal(5,3)  default null,
    eur_kg      decimal(6,4)  default null,
    a_cargo     enum('armador','comprador') not null,
    primary key (concepto, desde),
    check (pct is not null or eur_kg is not null)
);

insert into tasa values
    ('cofradia', '2024-01-01', 2.500, null, 'armador'),
    ('cofradia compra', '2024-01-01', 1.000, null, 'comprador'),
    ('T-4 puerto', '2024-01-01', 2.000, null, 'armador'),
    ('hielo', '2024-07-01', null, 0.0450, 'armador'),
    ('manipulado', '2024-01-01', null, 0.0200, 'comprador');

-- Documentos de transporte, la Guardia Civil los pide en la rotonda
create table if not exists guia (
    numero      int unsigned  not null auto_increment primary key,
    venta       bigint unsigned not null,
    transporte  int unsigned  default null,
    matricula   varchar(10)   not null,
    destino     varchar(60)   not null default 'Mercamadrid',
    temp_c      decimal(3,1),
    emitida     datetime      not null,
    constraint guia_venta foreign key (venta) references venta (lote),
    constraint guia_transporte foreign key (transporte) references tercero (id) on delete set null
) auto_increment = 240001;

-- Liquidacion quincenal al armador
create table if not exists liquidacion (
    armador     int unsigned  not null,
    quincena    char(8)       not null comment '2024-11A, 2024-11B',
    bruto       decimal(12,2) not null,
    tasas       decimal(10,2) not null default 0.00,
    neto        decimal(12,2) generated always as (bruto - tasas) stored,
    pagada      date,
    primary key (armador, quincena),
    constraint liq_armador foreign key (armador) references tercero (id)
);

-- Herencia de Access, la usa la pantalla de la cafeteria. No tocar.
create table if not exists tablon_tmp (
    linea       int           not null default 0,
    txt         varchar(64)   default '',
    color       char(7)       default '#ffffff'
) engine=MyISAM;

-- indices, medidos el 9/11 con la subasta de bonito
create index lote_fao on lote (fao, calibre);
create index venta_hora on venta (hora);
create index marea_llegada on marea (llegada);
create index tercero_alias on tercero (alias);

-- fin
