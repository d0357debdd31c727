import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
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
      ['/api', '/uploads', '/downloads', '/docs', '/schemas', '/openapi.json'].map((path) => [
        path,
        // Keep the host name: the service refuses requests from other origins.
        { target: 'http://127.0.0.1:8080', changeOrigin: false },
      ]),
    ),
  },
})
