/** @module-tag slow */
// The test that clients in all languages have as an example; scripts/ci/test-clients.sh runs the others.
import '../../examples/app/typescript/app.test.ts'
import '../../examples/same-test/typescript/kit.test.ts'
