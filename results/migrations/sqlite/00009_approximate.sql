-- +goose Up
-- Which limits on work acted when an interaction was scored, so that its scores are approximate.

ALTER TABLE interactions ADD COLUMN approximate TEXT NOT NULL DEFAULT ''; -- empty if none did
