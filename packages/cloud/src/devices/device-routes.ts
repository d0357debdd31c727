import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { NOT_BLANK } from '@plantroom/contract/patterns'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { hashSecret, randomText } from '../access/index.ts'
import { explainConflicts } from '../db/database.ts'
import type { Mirror } from '../db/mirror.ts'
import type { Device, DeviceStore } from './device-store.ts'
import type { Presence } from './presence.ts'

const name = { type: 'string', minLength: 1, maxLength: 255, pattern: NOT_BLANK } as const
const text = { type: 'string' } as const
const config = { access: { by: 'operator', role: 'admin' } } as const
const credential = {
  type: 'object',
  properties: { id: text, name, siteId: text, secret: { ...text, description: 'The broker password; shown once' } },
} as const

const SECRET_LENGTH = 40

type DeviceRoute = { Params: { orgId: string; deviceId: string } }

/** Lists, adds and removes devices and renews their broker credentials, for the operator and for members. */
export function deviceRoutes(
  app: FastifyInstance,
  deps: { store: DeviceStore; devices: Mirror<Device>; presence: Presence },
): void {
  const { store, devices, presence } = deps

  app.get<{ Params: { orgId: string } }>(
    '/api/orgs/:orgId/devices',
    {
      config: { access: { by: 'operator', role: 'viewer' } },
      schema: {
        tags: ['Administration'],
        summary: 'List the devices of an organization',
        response: {
          200: {
            type: 'object',
            properties: {
              devices: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    id: text,
                    name,
                    siteId: text,
                    online: { type: 'boolean' },
                    createdAt: { type: 'string', format: 'date-time' },
                  },
                },
              },
            },
          },
        },
      },
    },
    async (request) => {
      const { siteIds, params } = request
      const found = await store.list(params.orgId)
      const visible = siteIds ? found.filter(({ siteId }) => siteIds.has(siteId)) : found
      return { devices: visible.map((device) => ({ ...device, online: presence.isOnline(device.id) })) }
    },
  )

  app.post<{ Params: { orgId: string }; Body: { name: string; siteId: string } }>(
    '/api/orgs/:orgId/devices',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary: 'Add a device; only this answer contains its broker secret',
        body: { type: 'object', required: ['name', 'siteId'], properties: { name, siteId: text } },
        response: { 201: credential },
      },
    },
    async (request, reply) => {
      const { orgId } = request.params
      const { name, siteId } = request.body
      const id = newId('dev')
      const secret = randomText(SECRET_LENGTH)
      await explainConflicts(store.add({ id, organizationId: orgId, siteId, name, secretHash: hashSecret(secret) }), {
        device_site_id_name_key: new Failure('conflict', `this site already has a device "${shown(name)}"`),
        device_organization_id_site_id_fkey: new Failure(
          'invalid',
          `siteId: this organization has no site ${shown(siteId)}`,
          'siteId',
        ),
      })
      await devices.refresh(id)
      return reply.code(201).send({ id, name, siteId, secret })
    },
  )

  app.post<DeviceRoute>(
    '/api/orgs/:orgId/devices/:deviceId/credential',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary: 'Give a device a new broker secret; the old one stops working immediately',
        response: { 201: credential },
      },
    },
    async (request, reply) => {
      const { orgId, deviceId } = request.params
      const secret = randomText(SECRET_LENGTH)
      if (!(await store.setSecret(orgId, deviceId, hashSecret(secret)))) throw unknownDevice(deviceId)
      await devices.refresh(deviceId)
      return reply.code(201).send({ id: deviceId, secret })
    },
  )

  app.delete<DeviceRoute>(
    '/api/orgs/:orgId/devices/:deviceId',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary: 'Remove a device and disconnect it immediately',
        response: { 204: { type: 'null' } },
      },
    },
    async (request, reply) => {
      const { orgId, deviceId } = request.params
      if (!(await store.remove(orgId, deviceId))) throw unknownDevice(deviceId)
      await devices.refresh(deviceId)
      return reply.code(204).send()
    },
  )
}

function unknownDevice(deviceId: string): Failure {
  return new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
}
