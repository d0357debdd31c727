import { route } from '../route.ts'
import { anyObject, object, optional, text } from '../schema.ts'

const anyone = { by: 'anyone' } as const

/** Fields of a presigned address. */
const signed = object({
  expires: optional(text()),
  signature: optional(text()),
  filename: optional(text()),
  type: optional(text()),
  size: optional(text()),
  sha256: optional(text()),
})

/** Health, metrics, and files behind presigned addresses. */
export const operationRoutes = {
  getHealth: route({
    method: 'GET',
    path: '/healthz',
    ignoresUnknown: true,
    access: anyone,
    tag: 'Operation',
    summary: 'The process is up',
    reply: object({
      status: text(),
      instance: text({ description: 'the id of this installation, which all its processes share' }),
    }),
  }),
  getReadiness: route({
    method: 'GET',
    path: '/readyz',
    ignoresUnknown: true,
    access: anyone,
    tag: 'Operation',
    summary: 'The database, its change notifications, the broker and the disk are available',
    reply: anyObject({ description: '503 when one is not; the field of its name says why' }),
  }),
  getMetrics: route({
    method: 'GET',
    path: '/metrics',
    ignoresUnknown: true,
    access: anyone,
    tag: 'Operation',
    summary: 'Metrics for Prometheus',
    content: 'text/plain',
  }),
  getManifestSchema: route({
    method: 'GET',
    path: '/schemas/ticket-export-v1.json',
    access: anyone,
    tag: 'Maintenance requests',
    summary: 'The JSON Schema (draft-07) of manifest.json, for editors and programs that write packages',
    reply: anyObject(),
    content: 'application/schema+json',
  }),
  uploadPackage: route({
    method: 'PUT',
    path: '/uploads/:orgId/:propertyId/:file',
    access: anyone,
    tag: 'Maintenance requests',
    summary: 'Upload a package to the address that upload-url returned; needs no key',
    description:
      'The body is the raw file, of any content type, with Content-Length. A second upload replaces the first.',
    query: signed,
  }),
  uploadPart: route({
    method: 'PUT',
    path: '/uploads/:orgId/:propertyId/:file/:storeId/:number',
    access: anyone,
    tag: 'Maintenance requests',
    summary: 'Upload one part of a package to its address; needs no key',
    description:
      'The body is the part, with Content-Length. Only the bytes that the address was made for are accepted.',
    query: signed,
  }),
  downloadFile: route({
    method: 'GET',
    path: '/downloads/:kind/:propertyId/:file',
    access: anyone,
    tag: 'Maintenance requests',
    summary: 'Download a file from a presigned address; needs no key, supports ranges',
    query: signed,
    content: 'application/octet-stream',
  }),
} as const
