/** Lets a page of the devices of an organization be read without reading all of them. */
export const sql = `
CREATE INDEX device_list ON device (organization_id, created_at, id);
`
