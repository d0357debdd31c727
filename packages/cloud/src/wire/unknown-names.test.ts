import { API } from '@plantroom/contract/api'
import type { Route } from '@plantroom/contract/route'
import type { Schema } from '@plantroom/contract/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, startTestCloud, type Tenant } from '../testing/cloud.ts'

/** What others decide about: partners, monitors, and a provider that sends a browser back. */
const IGNORE_UNKNOWN = [
  'getUploadUrl',
  'notifyOpenadr',
  'startImport',
  'startPreview',
  'finishWithProvider',
  'getHealth',
  'getMetrics',
  'getReadiness',
]

/** A check of a commissioning file lists its mistakes itself; what is uploaded is no JSON. */
const BODY_IS_DATA = new Set(['checkCommissioning', 'uploadPackage', 'uploadPart'])

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
})
afterAll(() => cloud?.stop())

/** The paths of objects within a schema that declare fields and accept others. */
function openObjects(schema: Schema, path = ''): string[] {
  const { properties, items, additionalProperties } = schema
  const inner = [
    ...Object.entries(properties ?? {}).map(([name, field]) => openObjects(field, `${path}.${name}`)),
    ...(items ? [openObjects(items, `${path}[]`)] : []),
    ...(typeof additionalProperties === 'object' ? [openObjects(additionalProperties, `${path}.*`)] : []),
  ].flat()
  return properties && additionalProperties !== false ? [path, ...inner] : inner
}

describe('names that a route does not declare', () => {
  const routes = Object.entries(API as Record<string, Route>)
  const ours = routes.filter(([, { ignoresUnknown }]) => !ignoresUnknown)

  test('are ignored by the commands of the contract and a few others alone', () => {
    const others = routes.filter(([, { ignoresUnknown, path }]) => ignoresUnknown && !path.includes('/cmd/'))
    expect(others.map(([name]) => name).toSorted()).toEqual(IGNORE_UNKNOWN.toSorted())
  })

  test.each(ours)('are refused by %s', (name, { method, path }) => {
    const served = cloud.routes.find((route) => route.url === path && [route.method].flat().includes(method))
    const { querystring, body } = (served?.schema ?? {}) as { querystring?: Schema; body?: Schema }
    expect(querystring?.additionalProperties, 'query').toBe(false)
    expect(openObjects(querystring ?? {})).toEqual([])
    if (method === 'GET' || BODY_IS_DATA.has(name)) return
    expect(body?.additionalProperties, 'body').toBe(false)
    expect(openObjects(body ?? {})).toEqual([])
  })

  test('do not make a key for all sites that never ends', async () => {
    const body = { name: 'Key', permissions: ['edge-device:read_write'], siteId: tenant.siteId, expires: '2030-01-01' }
    const made = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/api-keys`, body)
    expect([made.status, made.body.message]).toEqual([400, 'siteId is not a known field; did you mean siteIds?'])
    const list = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/api-keys`)
    expect(list.body.apiKeys ?? list.body.keys).toEqual([])
  })

  test('do not revoke a key and leave its setpoint', async () => {
    const body = { name: 'Key', permissions: ['edge-device:read_write'], siteIds: null }
    const made = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/api-keys`, body)
    const path = `/api/orgs/${tenant.orgId}/api-keys/${made.body.id}?cancelOverride=true`
    const answer = await asOperator(cloud, 'DELETE', path)
    expect([answer.status, answer.body.field]).toEqual([400, 'cancelOverride'])
    expect(answer.body.message).toContain('did you mean cancelOverrides?')
  })
})
