/** Second factors of people, organizations that require them, and sessions that know how and when they were proved. */
export const sql = `
ALTER TABLE user_session
  -- When the person last proved who they are in this session.
  ADD COLUMN verified_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN second_factor boolean NOT NULL DEFAULT false;
UPDATE user_session SET verified_at = created_at;

ALTER TABLE organization ADD COLUMN requires_second_factor boolean NOT NULL DEFAULT false;

CREATE TABLE totp (
  user_id text PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
  -- Encrypted with a key that is not in the database.
  secret bytea NOT NULL,
  -- Null until a first code has shown that the app has the secret.
  confirmed_at timestamptz,
  -- The last time step whose code was used: each code works once.
  last_step integer NOT NULL DEFAULT 0
);

CREATE TABLE recovery_code (
  user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE passkey (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
  credential_id text NOT NULL UNIQUE,
  -- The host name it was created at. Browsers offer it nowhere else.
  rp_id text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX passkey_user ON passkey (user_id);

-- What a person has begun and not completed: a sign-in, a passkey, a check.
CREATE TABLE sign_in_challenge (
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  purpose text NOT NULL CHECK (purpose IN ('second-factor', 'passkey', 'add-passkey', 'verify')),
  -- Null for a sign-in with a passkey alone: the passkey says whose it is.
  user_id text REFERENCES user_account (id) ON DELETE CASCADE,
  password_hash text,
  -- What a passkey has to sign; null once it was tried.
  to_sign text,
  attempts integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_challenge_expiry ON sign_in_challenge (expires_at);
CREATE INDEX sign_in_challenge_user ON sign_in_challenge (user_id);

-- How often in a row a limit was exceeded: the wait doubles each time.
ALTER TABLE sign_in_failure ADD COLUMN strikes integer NOT NULL DEFAULT 0;
`
