declare module '@20minutes/s3rver' {
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
    middleware: ((
      context: { app: object; query: Record<string, unknown> },
      next: () => Promise<void>,
    ) => Promise<void>)[]
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
  export = S3rver
}
