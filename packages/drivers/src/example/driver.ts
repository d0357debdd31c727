import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { Driver, Protocol, Reading, Target, WriteOptions } from '../driver.ts'
import { refuseProblems } from '../fields.ts'
import { canonicalHost } from '../host.ts'
import { type ExampleConfig, type ExamplePoint, parseConfig } from './config.ts'
import { createLink, type LinkDeps, RANK } from './link.ts'

/** Equipment that serves each value as an HTTP resource: GET reads it, PUT sets it, DELETE withdraws our value. */
export function createExampleProtocol({ clock }: { clock: Clock }): Protocol {
  return {
    check: (connection) => parseConfig(connection).problems,
    targets: (connection) =>
      parseConfig(connection).config.points.map(({ href, writable }) =>
        writable ? targetAt(new URL(href)) : undefined,
      ),
    connect(connection, listener) {
      const { config, problems } = parseConfig(connection)
      refuseProblems(problems)
      const ids = connection.datapoints.map(({ id }) => id)
      return createDriver(config, ids, { clock, listener })
    },
  }
}

/** Returns the target of a writable point. All values are numbers as text, so they mean the same at every address. */
function targetAt(url: URL): Target {
  const { name: host, reach } = canonicalHost(url.hostname)
  const address = `${host}:${url.port || '80'}${url.pathname}${url.search}`
  const name = `resource ${url.pathname}`
  return { space: `example ${address}`, start: 0, end: 1, name, reach, identity: address, meaning: 'example' }
}

/** @param ids of the config's points, in the same order */
function createDriver(config: ExampleConfig, ids: readonly string[], deps: LinkDeps): Driver {
  const points = new Map(config.points.map((point, index) => [ids[index], point]))
  const link = createLink(config, deps)

  async function read(pointId: string, rank: number): Promise<Reading> {
    const point = points.get(pointId)
    if (!point) return { error: `${pointId} is not a datapoint of this connection` }
    const { ok, status, text } = await link.send(rank, point.href)
    if (!ok) return { error: `the equipment answered ${status}` }
    const raw = text.trim() === '' ? Number.NaN : Number(text)
    return Number.isFinite(raw) ? { raw } : { error: 'the equipment sent something that is not a number' }
  }

  function writablePoint(pointId: string): ExamplePoint {
    const point = points.get(pointId)
    if (!point) throw new Failure('rejected', `${pointId} is not a datapoint of this connection`)
    if (!point.writable) throw new Failure('rejected', `${point.name} can only be read`)
    return point
  }

  function nearest(pointId: string, raw: number): number {
    writablePoint(pointId)
    if (Math.abs(raw) < 2 ** 53) return raw
    throw new Failure('rejected', `${raw} cannot be written exactly: it must be between -2^53 and 2^53`)
  }

  const lastReleases = new Map<ExamplePoint, symbol>()

  async function change(pointId: string, request: RequestInit, { release = false, stillWanted }: WriteOptions) {
    const point = writablePoint(pointId)
    if (release) lastReleases.set(point, Symbol('release'))
    const lastRelease = lastReleases.get(point)
    // A setpoint that a release has overtaken would undo the release.
    const isCurrent = () => lastReleases.get(point) === lastRelease && (stillWanted?.() ?? true)
    const reply = await link.send(release ? RANK.release : RANK.setpoint, point.href, request, isCurrent)
    if (!reply.ok) throw new Failure('rejected', `${point.name}: the equipment answered ${reply.status}`)
  }

  return {
    open: link.open,
    read: (pointIds, { urgent = false } = {}) =>
      Promise.all(pointIds.map((id) => read(id, urgent ? RANK.urgent : RANK.poll))),
    nearest,
    async write(pointId, value, options = {}) {
      if (typeof value === 'object') throw new Failure('rejected', `${pointId}: this driver makes no images`)
      await change(pointId, { method: 'PUT', body: String(nearest(pointId, Number(value))) }, options)
    },
    async relinquish(pointId, options = {}) {
      await change(pointId, { method: 'DELETE' }, { ...options, release: true })
      return true
    },
    close: async () => link.close(),
  }
}
