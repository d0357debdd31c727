import { every, systemClock } from '@plantroom/base/clock'
import { createManualClock } from '@plantroom/testkit/manual-clock'
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
  command: { href: 'points/command/', accessType: 'WRITE' },
  energy: { href: 'points/energy/', type: 'int' },
}

for (const [name, settings, data] of [
  ['oBIX by batch', { mode: 'batch' }, {}],
  ['oBIX by watch', { mode: 'watch' }, {}],
  ['oBIX with single reads and writePoint', { mode: 'get' }, { write: 'writePoint' }],
] as const) {
  describeDriver(name, async () => {
    const server = await startObixServer({
      supply: { tag: 'real', val: '0', writable: true, writePoint: 'href="writePoint"' },
      stage: { tag: 'int', val: '0', writable: true },
      outside: { tag: 'real', val: '-4' },
      command: { tag: 'real', val: '0', writable: true },
      energy: { tag: 'int', val: '0', writable: true },
    })
    const points = Object.fromEntries(Object.entries(POINTS).map(([id, point]) => [id, { ...point, ...data }]))
    const connection = connectionOf(points, { url: server.url, timeoutMs: 500, ...settings })
    const events = createCountingListener()
    const clock = createManualClock()
    let stopTime = () => {}
    const letTimePass = () => {
      stopTime()
      stopTime = every(systemClock, 1, () => clock.advanceNow(20))
    }
    const pointOf = (id: string) => server.points.get(id) ?? { tag: '', val: '' }
    const protocol = createObixProtocol({ clock })
    const rawOf = (val: string) => (Number.isSafeInteger(Number(val)) ? Number(val) : BigInt(val))
    return {
      driver: protocol.connect(connection, events),
      events,
      hasLink: false,
      points: ['supply', 'stage'],
      readOnly: 'outside',
      missing: 'absent',
      at: async (id) => (id === 'energy' ? rawOf(pointOf(id).val) : Number(pointOf(id).val)),
      async set(id, raw) {
        pointOf(id).val = String(raw)
      },
      async setExact(id) {
        pointOf(id).val = 'NaN'
        return async () => pointOf(id).val === 'NaN'
      },
      writeOnly: 'command',
      wholeNumbers: 'energy',
      async stall() {
        let resume = () => {}
        const held = new Promise<void>((resolve) => {
          resume = resolve
        })
        server.requests.length = 0
        server.play((_, __, obey) => void held.then(obey))
        const written = () =>
          server.requests.flatMap(({ method, path }) => {
            const isWrite = method === 'PUT' || path.endsWith('/writePoint')
            return isWrite ? [path.split('/')[3] as string] : []
          })
        return { resume, written }
      },
      targets: {
        protocol,
        connection,
        tuning: {
          mode: settings.mode === 'get' ? 'batch' : 'get',
          timeoutMs: 9000,
          pollSeconds: 9,
          maxBodyBytes: 4096,
        },
        elsewhere: { url: 'http://10.9.9.9/obix/' },
        otherAddress: { href: 'points/elsewhere/' },
        spelled: ['localhost', '127.0.0.1:80', '[::1]', '127.1', 'LOCALHOST.'].map((host) => ({
          url: `http://${host}/obix/`,
        })),
        otherWays: [{ settings: { username: 'edge', password: 'rotated' } }],
        otherMeanings: [{ type: 'int' }, { type: 'bool' }],
      },
      ...(settings.mode === 'watch' && {
        async mute() {
          server.mute()
          return () => {}
        },
      }),
      async silence() {
        server.silence()
        letTimePass()
      },
      async drop() {
        await server.drop()
        letTimePass()
      },
      async heal() {
        stopTime()
        await server.heal()
      },
      // A link has one socket for urgent requests and one for polls.
      links: () => Math.ceil(server.openSockets() / 2),
      async close() {
        stopTime()
        await server.stop()
      },
    }
  })
}
