-- +goose Up
-- Times are Unix milliseconds, durations microseconds, costs USD.

CREATE TABLE experiments (
    id       TEXT PRIMARY KEY,           -- UUID version 7
    name     TEXT NOT NULL UNIQUE,
    created  INTEGER NOT NULL,
    manifest TEXT NOT NULL,              -- JSON: what is measured, and with what
    state    TEXT NOT NULL,              -- running, paused, spent, cancelled
    max_cost REAL                        -- NULL for no limit
);

CREATE TABLE changes (                   -- of manifests, by --allow-changed
    experiment  TEXT NOT NULL REFERENCES experiments (id),
    number      INTEGER NOT NULL,
    changed     INTEGER NOT NULL,
    differences TEXT NOT NULL,           -- JSON: what differs
    manifest    TEXT NOT NULL,           -- JSON: as it was before
    PRIMARY KEY (experiment, number)
);

CREATE TABLE arms (                      -- sums of their interactions, kept with each
    id         INTEGER PRIMARY KEY,
    experiment TEXT NOT NULL REFERENCES experiments (id),
    model      TEXT NOT NULL,            -- empty for policies without one
    policy     TEXT NOT NULL,
    relays     INTEGER NOT NULL,
    planned    INTEGER NOT NULL,         -- interactions
    done       INTEGER NOT NULL,
    ended      INTEGER NOT NULL,         -- relays with all their interactions
    failed     INTEGER NOT NULL,
    scored     INTEGER NOT NULL,
    value      REAL NOT NULL,
    strict     REAL NOT NULL,
    cost       REAL NOT NULL,
    unpriced   INTEGER NOT NULL,         -- interactions of unknown cost
    UNIQUE (experiment, model, policy)
);

CREATE TABLE relays (
    id          INTEGER PRIMARY KEY,
    experiment  TEXT NOT NULL REFERENCES experiments (id),
    arm         INTEGER NOT NULL REFERENCES arms (id),
    model       TEXT NOT NULL,
    policy      TEXT NOT NULL,
    environment TEXT NOT NULL,
    domain      TEXT NOT NULL,
    repeat      INTEGER NOT NULL,        -- from 1
    schedule    TEXT NOT NULL,           -- JSON: the edit of each round trip
    UNIQUE (experiment, model, policy, environment, repeat)
);

CREATE TABLE interactions (
    id          INTEGER PRIMARY KEY,
    relay       INTEGER NOT NULL REFERENCES relays (id),
    number      INTEGER NOT NULL,        -- from 1; odd ones are forward steps
    edit        TEXT NOT NULL,
    direction   TEXT NOT NULL,           -- forward, backward
    started     INTEGER NOT NULL,
    duration    INTEGER NOT NULL,
    ending      TEXT NOT NULL,
    failure     TEXT NOT NULL,           -- reason, empty if it did not fail
    detail      TEXT NOT NULL,
    turns       INTEGER NOT NULL,
    prompt      INTEGER NOT NULL,        -- tokens, as are the next three
    cached      INTEGER NOT NULL,
    completion  INTEGER NOT NULL,
    reasoning   INTEGER NOT NULL,
    cost        REAL,                    -- NULL if a price is unknown
    value       REAL,                    -- RS, of backward steps
    strict      REAL,
    forward     REAL,                    -- against the oracle, of forward steps that have one
    reference_elements INTEGER,
    candidate_elements INTEGER,
    components  TEXT NOT NULL,           -- JSON
    problem     TEXT NOT NULL,
    strays      TEXT NOT NULL,           -- JSON: files beyond the targets, left out of the output
    output      TEXT NOT NULL,           -- JSON: file -> hash of its content
    distractors INTEGER NOT NULL,        -- distractor files that were there
    calls       INTEGER NOT NULL,        -- tool calls; sums for reports, as are the next three
    scripts     INTEGER NOT NULL,        -- run_python calls that changed files
    writes      INTEGER NOT NULL,        -- write_file calls that changed files
    distractors_read INTEGER NOT NULL,
    UNIQUE (relay, number)
);

CREATE TABLE turns (
    interaction INTEGER NOT NULL REFERENCES interactions (id),
    number      INTEGER NOT NULL,
    prompt      INTEGER NOT NULL,
    cached      INTEGER NOT NULL,
    completion  INTEGER NOT NULL,
    reasoning   INTEGER NOT NULL,
    cost        REAL,
    duration    INTEGER NOT NULL,
    retries     INTEGER NOT NULL,
    finish      TEXT NOT NULL,
    PRIMARY KEY (interaction, number)
) WITHOUT ROWID;

CREATE TABLE tool_calls (
    interaction INTEGER NOT NULL REFERENCES interactions (id),
    number      INTEGER NOT NULL,
    turn        INTEGER NOT NULL,
    tool        TEXT NOT NULL,
    arguments   TEXT NOT NULL,           -- JSON: names
    bytes_in    INTEGER NOT NULL,
    bytes_out   INTEGER NOT NULL,
    changed     INTEGER NOT NULL,        -- files written, altered or deleted
    error       TEXT NOT NULL,           -- empty if it succeeded
    duration    INTEGER NOT NULL,
    PRIMARY KEY (interaction, number)
) WITHOUT ROWID;

CREATE TABLE reads (
    interaction INTEGER NOT NULL REFERENCES interactions (id),
    number      INTEGER NOT NULL,
    file        TEXT NOT NULL,
    origin      TEXT NOT NULL,           -- document, distractor, created
    tool        TEXT NOT NULL,
    PRIMARY KEY (interaction, number)
) WITHOUT ROWID;

CREATE TABLE contents (
    hash BLOB PRIMARY KEY,               -- SHA-256 of the content
    zstd BLOB NOT NULL
) WITHOUT ROWID;
