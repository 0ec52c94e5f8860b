-- +goose Up
-- RS has one name.

ALTER TABLE interactions RENAME COLUMN value TO rs;
ALTER TABLE interactions RENAME COLUMN forward_value TO forward_rs;
ALTER TABLE arms RENAME COLUMN value TO rs;

-- Records are JSON, in which a text has no quotes but escaped ones: so these are names of members.
UPDATE replaced SET record = replace(replace(record, '"Value":', '"RS":'), '"ForwardValue":', '"ForwardRS":');
