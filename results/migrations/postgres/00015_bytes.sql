-- +goose Up
-- What became of the bytes of the seed where nothing changed in meaning.

ALTER TABLE interactions ADD COLUMN bytes TEXT NOT NULL DEFAULT ''; -- JSON: the properties that changed, and the share of the bytes; empty if it is not known
