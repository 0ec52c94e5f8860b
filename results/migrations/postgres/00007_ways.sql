-- +goose Up
-- How files were changed: by a script, by a whole text, by an edit of a part, by a patch.

ALTER TABLE interactions ADD COLUMN edits BIGINT NOT NULL DEFAULT 0;    -- calls and answers that changed parts of files
ALTER TABLE interactions ADD COLUMN patches BIGINT NOT NULL DEFAULT 0;  -- of these, by a patch
ALTER TABLE tool_calls ADD COLUMN way TEXT NOT NULL DEFAULT '';         -- script, writing, editing, patch; empty if nothing was changed, or that is not known
ALTER TABLE turns ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;         -- files that changed after an answer without calls
ALTER TABLE turns ADD COLUMN way TEXT NOT NULL DEFAULT '';              -- likewise

-- Edits were counted among the writes.
UPDATE tool_calls SET way = CASE
    WHEN lower(tool) IN ('run_python', 'exec_command', 'shell', 'shell_command', 'local_shell', 'bash', 'run_shell_command', 'execute_bash', 'terminal') THEN 'script'
    WHEN lower(tool) IN ('str_replace', 'insert', 'edit', 'edit_file', 'multiedit', 'replace', 'file_editor', 'str_replace_editor') THEN 'editing'
    WHEN lower(tool) IN ('apply_patch', 'patch') THEN 'patch'
    WHEN lower(tool) IN ('write_file', 'write') THEN 'writing'
    ELSE '' END
    WHERE changed > 0;
UPDATE interactions SET
    edits = (SELECT count(*) FROM tool_calls WHERE interaction = interactions.id AND way IN ('editing', 'patch')),
    patches = (SELECT count(*) FROM tool_calls WHERE interaction = interactions.id AND way = 'patch'),
    writes = (SELECT count(*) FROM tool_calls WHERE interaction = interactions.id AND way = 'writing')
    WHERE writes > 0;
