declare module '@20minutes/s3rver' {
  import type { S3Context } from './s3-multipart.ts'

  class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      allowMismatchedSignatures?: boolean
      configureBuckets: { name: string }[]
    })
    /** Of Koa, in order. */
    middleware: ((context: S3Context, next: () => Promise<void>) => Promise<void>)[]
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
  export = S3rver
}
