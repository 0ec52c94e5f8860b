-- +goose Up
-- Why a step has no score, whether a forward step was carried out, and relays that ended
-- early for want of a service.

ALTER TABLE interactions ADD COLUMN unscored TEXT NOT NULL DEFAULT '';         -- why there is no score, empty if a step of its kind may have one
ALTER TABLE interactions ADD COLUMN executed BIGINT;                          -- 1: a forward step was carried out, 0: it was not; NULL of others
ALTER TABLE interactions ADD COLUMN forward_value DOUBLE PRECISION;         -- published score of a forward step, which only programs have
ALTER TABLE interactions ADD COLUMN unreadable BIGINT NOT NULL DEFAULT 0;     -- 1: the published reader cannot read what Strict can
ALTER TABLE interactions ADD COLUMN given_up BIGINT NOT NULL DEFAULT 0;       -- further interactions that the relay will not have
ALTER TABLE interactions ADD COLUMN complaint TEXT NOT NULL DEFAULT '';        -- hash of a content: standard error of a command that failed
ALTER TABLE interactions ADD COLUMN published_tools BIGINT NOT NULL DEFAULT 0; -- 1: the model had the tools of the published harness

ALTER TABLE arms ADD COLUMN given_up BIGINT NOT NULL DEFAULT 0;               -- sums of the above
ALTER TABLE arms ADD COLUMN faults BIGINT NOT NULL DEFAULT 0;                 -- interactions without a score for want of a service
ALTER TABLE arms ADD COLUMN forwards BIGINT NOT NULL DEFAULT 0;               -- forward steps
ALTER TABLE arms ADD COLUMN executed BIGINT NOT NULL DEFAULT 0;               -- of these, carried out

CREATE TABLE replaced (                  -- interactions that were done again
    relay    BIGINT NOT NULL REFERENCES relays (id),
    number   BIGINT NOT NULL,
    replaced BIGINT NOT NULL,            -- when
    record   TEXT NOT NULL,              -- JSON: the interaction, without its documents
    PRIMARY KEY (relay, number, replaced)
);
