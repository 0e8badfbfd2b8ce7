import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/postgres/globalSetup.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text"],
      thresholds: { "src/domain/**": { perFile: true, 100: true } }
    }
  }
})
