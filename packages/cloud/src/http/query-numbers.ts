import type { FastifyInstance, preValidationHookHandler } from 'fastify'

const WHOLE_NUMBER = /^-?\d+$/

/**
 * Converts query parameters that a route's schema declares as integers, before validation. Other text stays as it is and
 * fails validation.
 */
export function readQueryNumbers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const names = wholeNumbers(route.schema?.querystring)
    if (names.length === 0) return
    const read: preValidationHookHandler = (request, _reply, done) => {
      const query = request.query as Record<string, unknown>
      for (const name of names) {
        const text = query[name]
        if (typeof text === 'string' && WHOLE_NUMBER.test(text)) query[name] = Number(text)
      }
      done()
    }
    route.preValidation = [...[route.preValidation ?? []].flat(), read]
  })
}

function wholeNumbers(schema: unknown): string[] {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { type?: string; enum?: unknown[] }> }
  return Object.entries(properties)
    .filter(([, property]) => property.type === 'integer' || property.enum?.every(Number.isInteger))
    .map(([name]) => name)
}
