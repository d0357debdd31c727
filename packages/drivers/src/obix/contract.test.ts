import { systemClock } from '@plantroom/base/clock'
import { createCountingListener } from '../testing/counting-listener.ts'
import { describeDriver } from '../testing/driver-contract.ts'
import { createObixProtocol } from './driver.ts'
import { connectionOf, type Points } from './testing/bench.ts'
import { startObixServer } from './testing/server.ts'

const POINTS: Points = {
  supply: { href: 'points/supply/' },
  stage: { href: 'points/stage', type: 'int' },
  outside: { href: 'points/outside/', accessType: 'READ' },
  absent: { href: 'points/absent/', accessType: 'READ' },
}

for (const [name, settings, data] of [
  ['oBIX by batch', { mode: 'batch' }, {}],
  ['oBIX by watch', { mode: 'watch' }, {}],
  ['oBIX one by one, written by writePoint', { mode: 'get' }, { write: 'writePoint' }],
] as const) {
  describeDriver(name, async () => {
    const server = await startObixServer({
      supply: { tag: 'real', val: '0', writable: true, writePoint: 'href="writePoint"' },
      stage: { tag: 'int', val: '0', writable: true },
      outside: { tag: 'real', val: '-4' },
    })
    const points = Object.fromEntries(Object.entries(POINTS).map(([id, point]) => [id, { ...point, ...data }]))
    const connection = connectionOf(points, { url: server.url, timeoutMs: 150, ...settings })
    const told = createCountingListener()
    const pointOf = (id: string) => server.points.get(id) ?? { tag: '', val: '' }
    return {
      driver: createObixProtocol({ clock: systemClock }).connect(connection, told),
      told,
      hasLink: false,
      points: ['supply', 'stage'],
      readOnly: 'outside',
      missing: 'absent',
      at: async (id) => Number(pointOf(id).val),
      async set(id, raw) {
        pointOf(id).val = String(raw)
      },
      silence: async () => server.silence(),
      drop: () => server.drop(),
      heal: () => server.heal(),
      // A link has a socket for what is urgent, and one for what is not.
      links: () => Math.ceil(server.standing() / 2),
      close: () => server.stop(),
    }
  })
}
