/** Power limits over several controllers that may still be lost by one of them. */
export const sql = `
CREATE INDEX fleet_dispatch_shared_limit ON fleet_dispatch (to_at)
  WHERE kind = 'limit' AND state = 'completed' AND targets > 1;
`
