import type { ControlState } from '@plantroom/contract/control-state'
import type { DeviceHealth } from '@plantroom/contract/health'
import type { Db } from '../../platform/db/database.ts'

/** What a problem report says about a site. */
export function createProblemReportStore(db: Db) {
  return {
    /** `undefined` when the organization has no such site. */
    site(organizationId: string, siteId: string) {
      return db
        .selectFrom('site')
        .where('organization_id', '=', organizationId)
        .where('id', '=', siteId)
        .select('time_zone as timeZone')
        .executeTakeFirst()
    },

    /** The ids of all its controllers, oldest first. */
    async deviceIds(siteId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('device')
        .where('site_id', '=', siteId)
        .orderBy('created_at')
        .orderBy('id')
        .select('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    controllers(ids: readonly string[]) {
      return db
        .selectFrom('device')
        .leftJoin('device_presence as presence', 'presence.device_id', 'device.id')
        .leftJoin('device_health as health', 'health.device_id', 'device.id')
        .leftJoin('device_state as state', 'state.device_id', 'device.id')
        .where('device.id', 'in', ids)
        .orderBy('device.created_at')
        .orderBy('device.id')
        .select([
          'device.id',
          'device.name',
          'presence.online',
          'presence.since',
          'health.received_at as healthAt',
          'health.document as health',
          'state.received_at as stateAt',
          'state.document as state',
          'state.held',
          'state.troubled',
        ])
        .$narrowType<{ health: DeviceHealth | null; state: ControlState | null }>()
        .execute()
    },

    alerts(siteId: string, most: number) {
      return db
        .selectFrom('alert')
        .where('site_id', '=', siteId)
        .orderBy('opened_at', 'desc')
        .limit(most)
        .select([
          'id',
          'kind',
          'device_id as deviceId',
          'subject_id as subjectId',
          'opened_at as openedAt',
          'closed_at as closedAt',
        ])
        .execute()
    },
  }
}
