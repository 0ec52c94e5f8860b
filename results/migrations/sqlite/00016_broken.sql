-- +goose Up
-- Where the form of the seed was lost: the places at which the tools of its format would stop.

ALTER TABLE interactions ADD COLUMN broken TEXT NOT NULL DEFAULT 'null'; -- JSON: a list of texts; null if it is not known
