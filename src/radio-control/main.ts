/**
 * The radio-control process. Nothing is loaded before it is sure to end with its starter: that may be
 * gone before the service is there.
 */
import { endWithStarter } from '../shared/end-with-starter.js';

endWithStarter();
void import('./service.js').then(({ runService }) => runService());
