import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** `/metrics` in Prometheus form: the process, requests by route and status, devices online, what they sent that was kept, jobs. */
export function measure(
  app: FastifyInstance,
  readings: {
    devicesOnline(): number
    reportsStored(): number
    measurementsStored(): number
    /** Those that wait or run are what tells whether a worker is alive. */
    jobs(): Promise<readonly { name: string; state: string; count: number }[]>
  },
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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
    name: 'plantroom_devices_online',
    help: 'Devices that are connected',
    registers: [registry],
    collect() {
      this.set(readings.devicesOnline())
    },
  })
  new Gauge({
    name: 'plantroom_jobs',
    help: 'Jobs of packages by kind and state: waiting, running, succeeded, failed',
    labelNames: ['name', 'state'],
    registers: [registry],
    async collect() {
      // Without a database the other metrics are wanted most.
      const counts = await readings.jobs().catch(() => [])
      this.reset()
      for (const { name, state, count } of counts) this.set({ name, state }, count)
    },
  })

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
  total('plantroom_reports_stored_total', 'Report entries kept, each once', readings.reportsStored)
  total('plantroom_measurements_stored_total', 'Measurements kept, each once', readings.measurementsStored)

  app.addHook('onResponse', (request, reply, done) => {
    // An address that leads nowhere must not make a series of its own, nor a method that is none.
    const route = request.routeOptions.url
    const labels = route === undefined ? { method: 'any', route: 'none' } : { method: request.method, route }
    seconds.observe(labels, reply.elapsedTime / 1000)
    answers.inc({ ...labels, status: reply.statusCode })
    done()
  })

  app.get(
    '/metrics',
    { config: { access: { by: 'anyone' } }, schema: { tags: ['Operation'], summary: 'Metrics in Prometheus form' } },
    async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()),
  )
}
