import { EquipmentReading, EquipmentScan, equipmentAddress, scanTarget } from '../discovery.ts'
import { route } from '../route.ts'
import { closedObject } from '../schema.ts'
import { administrator } from './organization.ts'

const DEVICE = '/api/orgs/:orgId/devices/:deviceId'

/** What people who commission ask of equipment before anything is stored. Nothing is ever written to it. */
export const discoveryRoutes = {
  readEquipment: route({
    method: 'POST',
    path: `${DEVICE}/read`,
    access: administrator,
    tag: 'Administration',
    summary:
      'Let the controller read one address at equipment once, before it is commissioned. Nothing is written or stored',
    description:
      'What the equipment answered is in the reply, also when nothing could be read: `error` then says why. It answers 499 ' +
      'when settings or data are invalid, 502 while the controller is away, and 429 beyond 120 readings of a controller in a minute.',
    body: closedObject(equipmentAddress),
    reply: EquipmentReading,
  }),
  startScan: route({
    method: 'POST',
    path: `${DEVICE}/scan`,
    access: administrator,
    tag: 'Administration',
    summary:
      'Let the controller look for equipment at a host, a serial line or a small network. Nothing is written or stored',
    description:
      'Answers within a few seconds with what was found so far. While `state` is `running`, ask for the scan again by its id; one ' +
      'that nobody asks about for a minute ends. The findings are connections of a commissioning file. It answers 499 when the target is invalid ' +
      'or larger than 256 addresses, when the protocol has no scan, or while another scan of the controller runs; 502 while the controller ' +
      'is away, and 429 beyond 10 scans of a controller in a minute.',
    body: closedObject(scanTarget),
    reply: EquipmentScan,
  }),
  getScan: route({
    method: 'GET',
    path: `${DEVICE}/scan/:scanId`,
    access: administrator,
    tag: 'Administration',
    summary:
      'What a scan has found so far; waits a few seconds for its end. The controller remembers the last scan until it restarts',
    reply: EquipmentScan,
  }),
  cancelScan: route({
    method: 'DELETE',
    path: `${DEVICE}/scan/:scanId`,
    access: administrator,
    tag: 'Administration',
    summary: 'End a scan, and return what it has found; safe to repeat',
    reply: EquipmentScan,
  }),
} as const
