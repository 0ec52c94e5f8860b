-- +goose Up
-- What retries cost, and, on request, what was said and what went through tools.

ALTER TABLE interactions ADD COLUMN unknown_attempts BIGINT NOT NULL DEFAULT 0; -- that may have been charged for

ALTER TABLE turns ADD COLUMN wasted_prompt BIGINT NOT NULL DEFAULT 0;     -- tokens of answers that came to nothing
ALTER TABLE turns ADD COLUMN wasted_completion BIGINT NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN unknown_attempts BIGINT NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN text TEXT NOT NULL DEFAULT '';                -- hash of a content, empty if it was not kept

ALTER TABLE tool_calls ADD COLUMN arguments_text TEXT NOT NULL DEFAULT ''; -- hashes, too
ALTER TABLE tool_calls ADD COLUMN answer TEXT NOT NULL DEFAULT '';
