import { API } from '@plantroom/contract/api'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { addRoute } from '../routes/index.ts'

/** The current values of the metrics that belong to other features. */
interface Metrics {
  devices(): number
  devicesOnline(): number
  /** Open alerts of all organizations, by kind. Kinds without one count 0. */
  alerts(): Promise<readonly { kind: string; count: number }[]>
  reportsStored(): number
  measurementsStored(): number
  /** Measurements that were dropped, by reason. */
  measurementsRefused(): Readonly<Record<string, number>>
  /** Batches that controllers have to send again later, by kind and by what they exceed. */
  batchesHeld(): Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Seconds since a worker last had compacted the measurements of all past days. */
  compactionAge(): Promise<number>
  /** How often the embedded database died and was started again, where there is one. */
  databaseRestarts?(): number
  /** Messages of devices that were removed from the broker, where it keeps messages. */
  retainedCleared?(): number
  /** Devices that have no account at the broker, where the service manages accounts; `undefined` while unknown. */
  devicesWithoutAccount?(): number | undefined
  /** Waiting and running jobs show whether a worker is alive. */
  jobs(): Promise<readonly { name: string; state: string; count: number }[]>
  /** Entries of the activity log that wait to be sent on, where they are. */
  activityUnsent?(): Promise<number>
  /** Seconds that the job which is due for longest has waited for a worker; 0 when none waits. */
  jobWait(): Promise<number>
  /** The same for each other kind of work that is done later. */
  workWaits(): Promise<readonly { kind: string; seconds: number }[]>
  /** Connections that were closed because too many were open, by server. */
  connectionsRefused(): Readonly<Record<string, number>>
  /** Sign-ins for which there was no room to wait. */
  signInsRefused(): number
  /** The disk of the data folder, in bytes. */
  disk(): Promise<{ free: number; size: number }>
}

/** Checks a dependency of the service: resolves when it is available, rejects with the reason otherwise. */
type ReadinessCheck = () => Promise<void>

/** Adds the routes for operation: health, readiness and metrics. */
export function operationRoutes(
  app: FastifyInstance,
  deps: { metrics: Metrics; checks: Readonly<Record<string, ReadinessCheck>>; instance: string },
): void {
  metricsRoute(app, deps.metrics)
  healthRoutes(app, deps)
}

/** Gauges with the ending of counters, which checkers refuse. They are sums of others, by type, that stay. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** Adds `/metrics` in Prometheus format: the process, requests by route and status, devices, stored data and jobs. */
function metricsRoute(app: FastifyInstance, metrics: Metrics): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const seconds = new Histogram({
    name: 'plantroom_http_request_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const answers = new Counter({
    name: 'plantroom_http_answers_total',
    help: 'Answers, by route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  new Gauge({
    name: 'plantroom_devices',
    help: 'Devices that exist',
    registers: [registry],
    collect() {
      this.set(metrics.devices())
    },
  })
  new Gauge({
    name: 'plantroom_devices_online',
    help: 'Connected devices',
    registers: [registry],
    collect() {
      this.set(metrics.devicesOnline())
    },
  })
  new Gauge({
    name: 'plantroom_jobs',
    help: 'Package jobs by kind and state: waiting, running, succeeded, failed',
    labelNames: ['name', 'state'],
    registers: [registry],
    async collect() {
      // The other metrics matter most when the database is down.
      const counts = await metrics.jobs().catch(() => [])
      this.reset()
      for (const { name, state, count } of counts) this.set({ name, state }, count)
    },
  })

  alertsGauge(registry, metrics.alerts)
  diskGauges(registry, metrics.disk)
  new Gauge({
    name: 'plantroom_work_wait_seconds',
    help: 'Longest wait of due work for a worker, by kind',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const { kind, seconds } of await metrics.workWaits().catch(() => [])) this.set({ kind }, seconds)
    },
  })
  databaseGauge(registry, 'plantroom_job_wait_seconds', 'Longest wait of a due job for a worker', metrics.jobWait)
  if (metrics.devicesWithoutAccount) accountsGauge(registry, metrics.devicesWithoutAccount)
  if (metrics.activityUnsent) {
    const help = 'Entries of the activity log that wait to be sent on'
    databaseGauge(registry, 'plantroom_activity_unsent', help, metrics.activityUnsent)
  }
  const age = 'Seconds since a worker last had compacted the measurements of all past days'
  databaseGauge(registry, 'plantroom_measurement_compaction_age_seconds', age, metrics.compactionAge)

  const total = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  total('plantroom_sign_ins_refused_total', 'Sign-ins refused because too many waited', metrics.signInsRefused)
  total('plantroom_reports_stored_total', 'Report entries stored', metrics.reportsStored)
  total('plantroom_measurements_stored_total', 'Measurements stored', metrics.measurementsStored)
  intakeCounters(registry, metrics)
  const closed = 'Connections that were closed because of their number or of their requests, by server'
  countersBy(registry, 'server', 'plantroom_connections_refused_total', closed, metrics.connectionsRefused)
  if (metrics.retainedCleared) {
    const help = 'Messages that devices left at the broker and must not, removed'
    total('plantroom_retained_messages_cleared_total', help, metrics.retainedCleared)
  }
  if (metrics.databaseRestarts) {
    const help = 'Times the embedded database died and was started again'
    total('plantroom_database_restarts_total', help, metrics.databaseRestarts)
  }

  app.addHook('onResponse', (request, reply, done) => {
    // Unknown paths and methods must not create series of their own.
    const route = request.routeOptions.url
    const labels = route === undefined ? { method: 'any', route: 'none' } : { method: request.method, route }
    seconds.observe(labels, reply.elapsedTime / 1000)
    answers.inc({ ...labels, status: reply.statusCode })
    done()
  })

  addRoute(app, API.getMetrics, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}

/** What controllers sent and the service did not store. */
function intakeCounters(registry: Registry, metrics: Metrics): void {
  const help = 'Measurements that were dropped, by reason'
  countersBy(registry, 'reason', 'plantroom_measurements_refused_total', help, metrics.measurementsRefused)
  new Counter({
    name: 'plantroom_batches_held_total',
    help: 'Batches that controllers have to send again later, by kind and by whose bound they exceed',
    labelNames: ['kind', 'bound'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [kind, held] of Object.entries(metrics.batchesHeld())) {
        for (const [bound, count] of Object.entries(held)) this.inc({ kind, bound }, count)
      }
    },
  })
}

/** A counter for each name, as a label. */
function countersBy(
  registry: Registry,
  label: string,
  name: string,
  help: string,
  read: () => Readonly<Record<string, number>>,
): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset()
      for (const [of, count] of Object.entries(read())) this.inc({ [label]: of }, count)
    },
  })
}

/** A gauge whose value is read from outside, usually the database; not a number while that does not answer. */
function databaseGauge(registry: Registry, name: string, help: string, read: () => Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read().catch(() => Number.NaN))
    },
  })
}

function alertsGauge(registry: Registry, read: Metrics['alerts']): void {
  new Gauge({
    name: 'plantroom_alerts_open',
    help: 'Open alerts by kind',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const counts = await read().catch(() => [])
      this.reset()
      for (const { kind, count } of counts) this.set({ kind }, count)
    },
  })
}

function diskGauges(registry: Registry, read: Metrics['disk']): void {
  const gauge = (name: string, help: string, of: (disk: { free: number; size: number }) => number) =>
    databaseGauge(registry, name, help, async () => of(await read()))
  gauge('plantroom_disk_free_bytes', 'Free bytes on the disk of the data folder', ({ free }) => free)
  gauge('plantroom_disk_size_bytes', 'Size of the disk of the data folder', ({ size }) => size)
}

function accountsGauge(registry: Registry, count: () => number | undefined): void {
  new Gauge({
    name: 'plantroom_devices_without_broker_account',
    help: 'Devices that cannot connect because the broker has no account for them',
    registers: [registry],
    collect() {
      this.set(count() ?? Number.NaN)
    },
  })
}

/** Adds `/healthz` (the process is up) and `/readyz` (its dependencies are too). */
function healthRoutes(
  app: FastifyInstance,
  { checks, instance }: { checks: Readonly<Record<string, ReadinessCheck>>; instance: string },
): void {
  addRoute(app, API.getHealth, async () => ({ status: 'ok', instance }))

  addRoute(app, API.getReadiness, async (_request, reply) => {
    const entries = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await check().then(() => 'ok', reason)] as const),
    )
    const ready = entries.every(([, state]) => state === 'ok')
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', ...Object.fromEntries(entries) })
  })
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
