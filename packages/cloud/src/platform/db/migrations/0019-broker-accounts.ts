/** Accounts of devices at a broker that is not the embedded one. */
export const sql = `
-- The secret as a bcrypt hash, for brokers that read accounts from a file. NULL until the secret is made or renewed while
-- the service writes such a file.
ALTER TABLE device ADD COLUMN broker_password text;

-- One row. Marks the accounts that this service made at a broker that several services use.
CREATE TABLE broker_service (
  id text PRIMARY KEY,
  only_row boolean NOT NULL DEFAULT true UNIQUE CHECK (only_row)
);
INSERT INTO broker_service (id) VALUES ('plantroom ' || gen_random_uuid());
`
