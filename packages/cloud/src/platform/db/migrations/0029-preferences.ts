/** The language of a person, and how they see times and numbers. Null leaves the choice to the browser. */
export const sql = `
ALTER TABLE user_account ADD COLUMN language text, ADD COLUMN locale text;
`
