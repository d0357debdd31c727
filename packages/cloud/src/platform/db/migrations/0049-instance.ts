/** The id of this installation, by which its own programs recognise it among others. */
export const sql = `
CREATE TABLE instance (id text PRIMARY KEY);
INSERT INTO instance VALUES (gen_random_uuid());
`
