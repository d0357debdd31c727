/**
 * What each controller does about power limits, for the portfolio, which does not open whole states. Computed by the
 * database, so that processes of an earlier version keep it too.
 */
export const sql = `
ALTER TABLE device_state
  ADD COLUMN power_limit jsonb GENERATED ALWAYS AS ((document -> 'powerLimit') - 'limits' - 'moved') STORED;
`
