import { EquipmentReading, equipmentAddress } from '../discovery.ts'
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
} as const
