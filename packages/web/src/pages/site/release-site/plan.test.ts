import type { LiveDevice } from '@plantroom/contract/control-state'
import { expect, test } from 'vitest'
import type { Freshness } from '../../../live/live-view.ts'
import { NOTHING_HEARD } from '../../../live/live-view.ts'
import { anOverride, minutes, NOW } from '../../../parts/testing/holds.ts'
import type { DeviceOverview } from '../overview.ts'
import { planRelease } from './plan.ts'

function seen(id: string, overrides: LiveDevice['overrides'], freshness: Freshness = 'live'): DeviceOverview {
  const device: LiveDevice = { at: minutes(0), clockSuspect: false, connections: [], holds: [], overrides }
  return {
    device: { id, name: id, siteId: 'site', online: true, createdAt: minutes(0), software: null },
    view: { ...NOTHING_HEARD, device },
    ...{ systems: [], freshness, ageMs: 0, now: NOW, controllerNow: NOW },
  }
}

test('plans to cancel every override, by datapoint, and the active one last', () => {
  const overrides = [
    anOverride({ id: 'active' }),
    anOverride({ id: 'queued', state: 'queued' }),
    anOverride({ id: 'beneath', state: 'superseded' }),
    anOverride({ id: 'other', datapointId: 'fan', state: 'queued' }),
  ]
  expect(planRelease([seen('one', overrides), seen('idle', [])])).toEqual({
    unreachable: [],
    controllers: [
      {
        ...{ deviceId: 'one', name: 'one', leftOut: 0 },
        releases: [
          {
            datapointId: 'charge',
            name: undefined,
            unit: undefined,
            value: 20,
            overrideIds: ['queued', 'beneath', 'active'],
          },
          { datapointId: 'fan', name: undefined, unit: undefined, value: undefined, overrideIds: ['other'] },
        ],
      },
    ],
  })
})

test.each(['offline', 'lost', 'slow', 'waiting'] as const)(
  'names a controller that is %s as not released',
  (freshness) => {
    expect(planRelease([seen('one', [anOverride()], freshness)])).toEqual({ controllers: [], unreachable: ['one'] })
  },
)
