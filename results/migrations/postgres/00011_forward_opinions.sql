-- +goose Up
-- What a judge says of forward steps of edits that no program can score.

ALTER TABLE interactions ADD COLUMN forward_opinion TEXT NOT NULL DEFAULT ''; -- JSON: the judge, and its ratings of the edit's statements; empty for none
