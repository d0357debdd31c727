import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { createRouteTimes } from './route-times.ts'

/** `/metrics` in Prometheus form: the process, requests by route and status, devices online. */
export function measure(app: FastifyInstance, readings: { devicesOnline(): number }): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'plantroom_devices_online',
    help: 'Devices that are connected',
    registers: [registry],
    collect() {
      this.set(readings.devicesOnline())
    },
  })
  const times = createRouteTimes()

  app.addHook('onResponse', (request, reply, done) => {
    // An address that leads nowhere must not make a series of its own, nor a method that is none.
    const route = request.routeOptions.url
    times.record(
      route === undefined ? 'any' : request.method,
      route ?? 'none',
      reply.statusCode,
      reply.elapsedTime / 1000,
    )
    done()
  })

  app.get(
    '/metrics',
    { config: { access: { by: 'anyone' } }, schema: { tags: ['Operation'], summary: 'Metrics in Prometheus form' } },
    async (_request, reply) => reply.type(registry.contentType).send((await registry.metrics()) + times.text()),
  )
}
