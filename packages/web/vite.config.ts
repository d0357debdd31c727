import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Lets the browser fetch the page while the first script chooses its language. */
const preloadStart: Plugin = {
  name: 'preload-start',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const files = new Set<string>()
      const visit = (file: string) => {
        const chunk = bundle[file]
        if (files.has(file) || chunk?.type !== 'chunk') return
        files.add(file)
        chunk.imports.forEach(visit)
      }
      for (const [file, chunk] of Object.entries(bundle)) {
        if (chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith('/src/start.tsx')) visit(file)
      }
      return [...files].map((file) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
        injectTo: 'head',
      }))
    },
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloadStart],
  build: {
    target: 'es2023',
    manifest: true,
    sourcemap: false,
    // Inlined images would need a content security policy that allows data: URLs.
    assetsInlineLimit: 0,
    // The polyfill is only for browsers that the console does not support.
    modulePreload: { polyfill: false },
  },
  server: {
    // Forwards API requests to a running demo, for work on the console.
    proxy: Object.fromEntries(
      ['/api', '/uploads', '/downloads', '/docs', '/help', '/schemas', '/openapi.json'].map((path) => [
        path,
        // Keep the host name: the service refuses requests from other origins.
        { target: 'http://127.0.0.1:8080', changeOrigin: false },
      ]),
    ),
  },
})
