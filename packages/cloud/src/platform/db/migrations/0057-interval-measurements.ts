/**
 * What controllers saw of whole intervals, beside the last value in `vals`. Frames without it, and blocks written before,
 * hold samples.
 */
export const sql = `
ALTER TABLE measurement_frame
  -- The length of the intervals that end at this time; NULL when all values are samples.
  ADD COLUMN seconds integer,
  -- Three float4 for each slot: mean, lowest and highest value, as differences from the last one. NaN for a sample.
  ADD COLUMN spans bytea,
  -- What few intervals have: another length, a coverage below 100 percent, an energy. See frame-spans.ts.
  ADD COLUMN exceptions bytea;
`
