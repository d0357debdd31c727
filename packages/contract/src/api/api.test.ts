import { describe, expect, expectTypeOf, test } from 'vitest'
import type { CommandReply, CommandRequest } from '../commands.ts'
import { openApi } from '../openapi.ts'
import type { PathParameter, Route, RouteReply } from '../route.ts'
import { API, type Api } from './index.ts'

const routes = Object.entries(API as Readonly<Record<string, Route>>)

describe('the API', () => {
  test('has one operation for each method and path', () => {
    const addresses = routes.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`)
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  test.each(routes)(
    '%s has a summary, and a body only where one is sent',
    (_name, { method, summary, body, status, reply }) => {
      expect(summary).toMatch(/^[A-Z].*[^.]$/)
      if (body) expect(['POST', 'PUT', 'PATCH']).toContain(method)
      if (status === 204) expect(reply).toBeUndefined()
    },
  )

  test('types a path, a request and a reply', () => {
    expectTypeOf<PathParameter<Api['updateSite']['path']>>().toEqualTypeOf<'orgId' | 'siteId'>()
    expectTypeOf<RouteReply<Api['signOut']>>().toEqualTypeOf<undefined>()
    expectTypeOf<CommandRequest<'demandResponseCancel'>>().toEqualTypeOf<{ id: string; reason?: string }>()
    expectTypeOf<CommandReply<'demandResponseOverride'>>().toEqualTypeOf<{ id: string }>()
    expectTypeOf<RouteReply<Api['demandResponseOverride']>>().toEqualTypeOf<{ reqId: string; data: { id: string } }>()
  })
})

describe('its OpenAPI description', () => {
  const { paths } = openApi(API, '0.0.0')

  test('names every operation', () => {
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((operation) => (operation as { operationId: string }).operationId),
    )
    expect(ids.toSorted()).toEqual(Object.keys(API).toSorted())
  })

  test('has standard keywords only', () => {
    expect(JSON.stringify(paths)).not.toMatch(/"x-|"format":"timestamp"/)
  })
})
