-- +goose Up
-- Whether a file was read from inside of a script or a command, said by who records the read.

ALTER TABLE reads ADD COLUMN by_script INTEGER NOT NULL DEFAULT 0; -- 1 if it was

UPDATE reads SET by_script = 1 WHERE tool IN ('run_python', 'exec');
