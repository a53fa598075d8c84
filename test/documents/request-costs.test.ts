/** docs/request-costs.md has what each request costs; npm run test:attack measures it. */
import t from 'tap';
import { Admission } from '../../src/reader-gateway/auth/admission.js';
import { Tokens } from '../../src/reader-gateway/auth/tokens.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { type RestDependencies, restRoutes } from '../../src/reader-gateway/rest/routes.js';
import { CLASSES, documentedClasses, keyOf } from '../attack/cost-table.js';
import { OTHER_ROUTES, routeOf } from './routes.js';

const TOKENS = ['with', 'without'] as const;
const others = OTHER_ROUTES.map(({ method, path }) => `${method} ${path}`);

t.test('every request has a class', async (t) => {
  const classes = documentedClasses();
  const routes = [...OPERATIONS.map(routeOf), ...others];
  const keys = routes.flatMap((route) => TOKENS.map((token) => keyOf({ route, token })));
  t.strictSame([...classes.keys()].sort(), keys.sort());
  for (const [key, name] of classes) t.ok(CLASSES[name], `${key}: ${name}`);
});

t.test('no route is left out', async (t) => {
  // Nothing of it is called: the routes are only made.
  const dependencies = {
    operations: OPERATIONS,
    admission: new Admission(new Tokens('')),
  } as unknown as RestDependencies;
  const { router } = restRoutes(dependencies);
  const made = router.stack.flatMap(({ methods, path }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`),
  );
  const ofOperations = OPERATIONS.map(
    ({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  );
  const known = new Set([...ofOperations, ...others]);
  t.strictSame(
    made.filter((route) => !known.has(route)),
    [],
  );
  t.equal(new Set(made).size, known.size - 1, 'all are there but the one that is not');
});
