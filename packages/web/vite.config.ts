import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: 'es2023',
    manifest: true,
    sourcemap: false,
    // An image within the style sheet would need a policy that allows data: addresses there.
    assetsInlineLimit: 0,
    // Vite would add a script of its own for browsers that this console does not speak to.
    modulePreload: { polyfill: false },
  },
  server: {
    // For work on the console beside a running demo: its API is asked through this server.
    proxy: Object.fromEntries(
      ['/api', '/uploads', '/downloads', '/docs', '/schemas', '/openapi.json'].map((path) => [
        path,
        // Under the name that the page was asked for: a request from another origin is refused.
        { target: 'http://127.0.0.1:8080', changeOrigin: false },
      ]),
    ),
  },
})
