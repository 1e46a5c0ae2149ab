-- One text for SQLite and PostgreSQL: TEXT and BIGINT only; JSON is text, hashes are hexadecimal, times are milliseconds
-- since 1970. A token is stored as its SHA-256.

CREATE TABLE tables (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    settings TEXT NOT NULL,
    recovery TEXT NOT NULL,
    created BIGINT NOT NULL,
    touched BIGINT NOT NULL,
    -- Counters that are taken in the transaction that uses them, so that neither has gaps.
    last_event BIGINT NOT NULL,
    last_execution BIGINT NOT NULL,
    script BIGINT NOT NULL,
    bytes BIGINT NOT NULL
);

CREATE TABLE invites (
    table_id TEXT NOT NULL,
    role TEXT NOT NULL,
    token TEXT NOT NULL,
    PRIMARY KEY (table_id, role)
);

-- Who sits or sat at a table; a bot is a member too.
CREATE TABLE members (
    id TEXT NOT NULL PRIMARY KEY,
    table_id TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    kind TEXT NOT NULL,
    joined BIGINT NOT NULL,
    gone BIGINT NOT NULL
);
CREATE INDEX members_of_table ON members (table_id);

-- A browser's cookie or a bot's key, and whom it speaks for; a browser may sit at many tables.
CREATE TABLE seats (
    token TEXT NOT NULL,
    member_id TEXT NOT NULL,
    PRIMARY KEY (token, member_id)
);
CREATE INDEX seats_of_member ON seats (member_id);

-- One-time links that move a seat to another device.
CREATE TABLE moves (
    token TEXT NOT NULL PRIMARY KEY,
    member_id TEXT NOT NULL,
    created BIGINT NOT NULL
);

CREATE TABLE scripts (
    table_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    text TEXT NOT NULL,
    version TEXT NOT NULL,
    author TEXT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (table_id, number)
);

-- Characters and monsters, made from the types of the script.
CREATE TABLE objects (
    id TEXT NOT NULL PRIMARY KEY,
    table_id TEXT NOT NULL,
    type TEXT NOT NULL,
    owner TEXT NOT NULL,
    visibility TEXT NOT NULL,
    data TEXT NOT NULL,
    -- What a newer script has no field for.
    leftover TEXT NOT NULL,
    version BIGINT NOT NULL,
    deleted BIGINT NOT NULL,
    created BIGINT NOT NULL
);
CREATE INDEX objects_of_table ON objects (table_id);

CREATE TABLE saved (
    id TEXT NOT NULL PRIMARY KEY,
    table_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    shared BIGINT NOT NULL,
    name TEXT NOT NULL,
    notation TEXT NOT NULL,
    text TEXT NOT NULL,
    params TEXT NOT NULL,
    deleted BIGINT NOT NULL,
    created BIGINT NOT NULL
);
CREATE INDEX saved_of_table ON saved (table_id);

-- The seeds of executions that are to come, made ahead, so that their hashes can be public before anybody starts one.
CREATE TABLE seeds (
    table_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    seed TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
);

-- A roll, or a roll of a script with its dice and answers.
CREATE TABLE executions (
    table_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    kind TEXT NOT NULL,
    member_id TEXT NOT NULL,
    visibility TEXT NOT NULL,
    state TEXT NOT NULL,
    -- What is run: an expression with its values, or a roll of a version of the script with its arguments.
    subject TEXT NOT NULL,
    seed TEXT NOT NULL,
    nonce TEXT NOT NULL,
    dice TEXT NOT NULL,
    answers TEXT NOT NULL,
    -- How many dice were typed in.
    typed BIGINT NOT NULL,
    changes TEXT NOT NULL,
    -- What those who may see it are shown.
    shown TEXT NOT NULL,
    version BIGINT NOT NULL,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    PRIMARY KEY (table_id, number)
);

-- Everything that happened, in commit order: what those in the audience get, and what the others do (nothing, if empty).
CREATE TABLE events (
    table_id TEXT NOT NULL,
    id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    audience TEXT NOT NULL,
    inside TEXT NOT NULL,
    outside TEXT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (table_id, id)
);

-- Requests that were answered, so that a retry gets the same answer.
CREATE TABLE answered (
    member_id TEXT NOT NULL,
    key TEXT NOT NULL,
    request TEXT NOT NULL,
    body TEXT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (member_id, key)
);
CREATE INDEX answered_by_age ON answered (created);
