################################################################################
#
# singulate
#
################################################################################

# Made by `npm run build:source` and put into SINGULATE_SITE: it holds the npm
# packages as locked, and the compiled services. Building uses no npm.
SINGULATE_VERSION = 0.1.0
SINGULATE_SOURCE = singulate-$(SINGULATE_VERSION)-source.tar.gz
SINGULATE_SITE = $(BR2_EXTERNAL_SINGULATE_PATH)/archives
SINGULATE_SITE_METHOD = file
SINGULATE_LICENSE = Apache-2.0
# The headers of the Node.js of the image; a node to configure with.
SINGULATE_DEPENDENCIES = nodejs host-nodejs
SINGULATE_SUPPORTS_IN_SOURCE_BUILD = NO
SINGULATE_CONF_OPTS = \
	-DCMAKE_BUILD_TYPE=Release \
	-DCMAKE_INSTALL_LIBDIR=lib \
	-DNODE_EXECUTABLE=$(HOST_DIR)/bin/node \
	-DCMAKE_JS_INC="$(@D)/node_modules/node-addon-api;$(STAGING_DIR)/usr/include/node"

# The package serialport brings its addon built, for each C library.
SINGULATE_BIN_ARCH_EXCLUDE = /usr/lib/singulate/node_modules

$(eval $(cmake-package))
