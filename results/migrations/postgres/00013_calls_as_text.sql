-- +goose Up
-- Models without function calling write their tool calls as text.

ALTER TABLE turns ADD COLUMN as_text BIGINT NOT NULL DEFAULT 0; -- 1: the turn's calls were found in the text
