-- +goose Up
-- Scores that are a judge's opinion, and what stands in where there is no judge.

ALTER TABLE interactions ADD COLUMN judge TEXT NOT NULL DEFAULT '';              -- model whose opinion value is, empty if it is computed
ALTER TABLE interactions ADD COLUMN fallback DOUBLE PRECISION;                   -- similarity of texts, of steps that no judge scored
ALTER TABLE interactions ADD COLUMN judge_asked BIGINT NOT NULL DEFAULT 0;       -- completions asked of the judge
ALTER TABLE interactions ADD COLUMN judge_prompt BIGINT NOT NULL DEFAULT 0;      -- tokens, as is the next
ALTER TABLE interactions ADD COLUMN judge_completion BIGINT NOT NULL DEFAULT 0;
ALTER TABLE interactions ADD COLUMN judge_cost DOUBLE PRECISION;                 -- NULL if a price is unknown, or nothing was asked

CREATE TABLE judgements (
    key     TEXT PRIMARY KEY,   -- hash of the judge and what it was asked
    model   TEXT NOT NULL,
    answer  TEXT NOT NULL,
    created BIGINT NOT NULL
);

CREATE INDEX tool_calls_with_errors ON tool_calls (interaction) WHERE error <> '';
