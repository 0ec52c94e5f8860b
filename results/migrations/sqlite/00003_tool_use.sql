-- +goose Up
-- What reports need of the trace, so that they do not read it.

ALTER TABLE interactions ADD COLUMN tools TEXT NOT NULL DEFAULT '';              -- that were called, in order, with blanks between
ALTER TABLE interactions ADD COLUMN read_by_tools INTEGER NOT NULL DEFAULT 0;   -- different distractor files
ALTER TABLE interactions ADD COLUMN read_by_scripts INTEGER NOT NULL DEFAULT 0;

UPDATE interactions SET
    tools = COALESCE((SELECT group_concat(tool, ' ' ORDER BY number) FROM tool_calls WHERE interaction = interactions.id), ''),
    read_by_tools = (SELECT count(DISTINCT file) FROM reads WHERE interaction = interactions.id AND origin = 'distractor' AND tool <> 'run_python'),
    read_by_scripts = (SELECT count(DISTINCT file) FROM reads WHERE interaction = interactions.id AND origin = 'distractor' AND tool = 'run_python');
