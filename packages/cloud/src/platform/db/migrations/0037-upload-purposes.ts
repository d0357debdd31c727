/** Files of exports of other systems are uploaded in parts, too. */
export const sql = `
-- Names of packages end in .fpl and those of exports do not, so a name stays unique among unfinished uploads of a site.
ALTER TABLE part_upload ADD COLUMN purpose text NOT NULL DEFAULT 'import' CHECK (purpose IN ('import', 'conversion'));
`
