-- +goose Up
-- What a command wrote to its standard output is kept with the rest of what was said.

ALTER TABLE interactions ADD COLUMN printed TEXT NOT NULL DEFAULT ''; -- hash of a content: standard output of a command
