-- +goose Up
-- Interactions with several requests of the user's, and conversations that go on over the interactions of a relay.

ALTER TABLE interactions ADD COLUMN user_turns TEXT NOT NULL DEFAULT '[]';    -- JSON: kind, edit and text of each; empty if there was one request
ALTER TABLE interactions ADD COLUMN conversation TEXT NOT NULL DEFAULT '';   -- hash of what the interaction made of its relay's conversation; empty if none goes on
ALTER TABLE turns ADD COLUMN user_turn INTEGER NOT NULL DEFAULT 1;           -- that the turn belongs to, from 1
ALTER TABLE turns ADD COLUMN compacted TEXT NOT NULL DEFAULT '';            -- how the conversation was made shorter before the turn; empty if it was not
