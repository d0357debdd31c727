/** When the placements and reports of an OpenADR program are looked at next, even if its VTN says nothing new. */
export const sql = `
ALTER TABLE openadr_program ADD COLUMN reconcile_at timestamptz NOT NULL DEFAULT now();
`
