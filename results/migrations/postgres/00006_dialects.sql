-- +goose Up
-- What makers' own dialects tell: tokens written to a cache, reasoning, refused settings.

ALTER TABLE interactions ADD COLUMN cache_write BIGINT NOT NULL DEFAULT 0; -- tokens of the prompt that were written to the cache
ALTER TABLE turns ADD COLUMN cache_write BIGINT NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN thought TEXT NOT NULL DEFAULT '';  -- hash of a content: the reasoning as far as its maker shows it
ALTER TABLE turns ADD COLUMN without TEXT NOT NULL DEFAULT '';  -- settings that the server refused, with commas
